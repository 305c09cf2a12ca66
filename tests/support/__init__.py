"""What tests share; `from support.photos import packaged_photos`."""
