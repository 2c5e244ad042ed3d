"""What all storeys stand on."""
