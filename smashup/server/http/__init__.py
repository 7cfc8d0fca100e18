"""The HTTP side: app, routes, request and response schemas, limits and static files."""
