"""The documentation site: pages gathered from the whole project, built strictly.

The pages are written to be read on a code host: plain Markdown, with relative links to other pages
and to sources. `pages` turns them into pages of the site; `building` hands those to the site
generator, Zensical, and takes no warning for an answer.
"""
