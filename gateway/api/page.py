from litestar import Response, get


@get("/api/docs", sync_to_thread=True)
def docs_page() -> Response[str]:
    """x"""
    return Response("todo")
