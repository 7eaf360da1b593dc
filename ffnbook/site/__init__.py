"""What makes the book: read the sources, check them, build both languages, join and check the site, serve it.

``reading``     the pages' sources, without Sphinx
``authoring``   what an author is told before anything is built: parity, staleness, prose, links
``extension``   the Sphinx extension, with its theme and its scripts
``live``        “Run this page”
``takeaway``    notebooks and the edition to read offline

``build`` puts them together: ``inputs`` and ``stamp`` say what there is to do, ``side_by_side`` runs a process for each language.
"""
