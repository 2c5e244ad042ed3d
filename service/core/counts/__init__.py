"""How often something was tried, and what is counted for Prometheus."""
