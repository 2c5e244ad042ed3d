"""The files of the page as browsers get them: joined, compressed, and named by their content."""
