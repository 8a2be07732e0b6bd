"""Where things are kept: held to platformdirs, which knows each system's conventions."""

import sys

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from agentbox_desktop.core.locations import SOCKET_PATH_MAX, resolve

HOME = "/home/me"


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", HOME)


def test_linux() -> None:
    known, ours = Unix("agentbox", appauthor=False), resolve({"HOME": HOME}, "linux", 1000)
    assert (ours.config, ours.data, ours.cache) == (known.user_config_dir, known.user_data_dir, known.user_cache_dir)
    assert ours.log == known.user_log_dir


def test_linux_with_every_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {f"XDG_{name}_HOME": f"/x/{name.lower()}" for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    variables["XDG_RUNTIME_DIR"] = "/run/user/1000"
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    known, ours = Unix("agentbox", appauthor=False), resolve({"HOME": HOME, **variables}, "linux", 1000)
    assert (ours.config, ours.data, ours.cache) == (known.user_config_dir, known.user_data_dir, known.user_cache_dir)
    assert (ours.log, ours.run) == (known.user_log_dir, known.user_runtime_dir)


@pytest.mark.skipif(sys.platform == "win32", reason="platformdirs reads HOME for macOS")
def test_macos() -> None:
    known, ours = MacOS("agentbox", appauthor=False), resolve({"HOME": HOME}, "darwin", 501)
    assert ours.data == f"{known.user_data_dir}/data"
    assert ours.config == f"{known.user_config_dir}/config"
    assert (ours.cache, ours.log) == (known.user_cache_dir, known.user_log_dir)


def test_windows_is_below_the_local_application_data() -> None:
    ours = resolve({"LOCALAPPDATA": "C:/Users/me/AppData/Local"}, "win32", 0)
    assert ours.config.replace("\\", "/") == "C:/Users/me/AppData/Local/agentbox/config"


def test_a_relative_home_is_refused() -> None:
    with pytest.raises(ValueError, match="absolute"):
        resolve({"AGENTBOX_HOME": "here"}, "linux", 1000)


@pytest.mark.parametrize("length", [10, 90, 200, 4000])
def test_the_sockets_path_always_fits(length: int) -> None:
    ours = resolve({"AGENTBOX_HOME": "/" + "h" * length, "TMPDIR": "/" + "t" * length}, "linux", 1000)
    assert len(ours.socket) <= SOCKET_PATH_MAX
    other = resolve({"AGENTBOX_HOME": "/" + "g" * length, "TMPDIR": "/" + "t" * length}, "linux", 1000)
    assert other.socket != ours.socket
