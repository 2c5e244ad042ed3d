from tests.service.cast import BOOMERANG, CARAVAN
import pytest, urllib.request
@pytest.mark.parametrize("slug",[BOOMERANG,CARAVAN])
def test_x(cast, slug):
    import time
    t=time.time()
    g=cast.start(slug)
    print(time.time()-t)
    e=cast.play(g)
    print(time.time()-t, e["number"])
    assert e["status"]=="over"
def test_s(server):
    assert urllib.request.urlopen(server.url).status==200
