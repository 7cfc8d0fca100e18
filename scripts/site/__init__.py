"""The documentation site: pages gathered from the whole project, built strictly.

Pages are plain Markdown that also reads well on a code host, with relative links to other pages and
sources. `page_set` converts them, and `build` runs the site generator, Zensical, with warnings as
errors.
"""
