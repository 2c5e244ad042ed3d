"""Pages of other sites in the browsers of our players."""
