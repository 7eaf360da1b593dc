# Hostile text is shown as text.
print("<script>alert(1)</script><img src=x onerror=alert(2)>")


class Boom(Exception):
    pass


Boom.__name__ = "<script>alert(3)</script>"


def relu(x):
    raise Boom("</p><script>alert(4)</script> | **bold** @everyone ${{ secrets.X }}")
