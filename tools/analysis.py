"""`tengen analysis`: KataGo's JSON protocol, with its command line as well as ours, so that KaTrain starts it as it is.

katago analysis -model FILE -config FILE -analysis-threads N -override-config "name=value,..." -quit-without-waiting
"""

from __future__ import annotations

import sys
from argparse import SUPPRESS, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.engine.config import OPTIONS, Config, ConfigError, load, merge
from tengen.tools.arguments import Parser, whole_number
from tengen.tools.leaving import serve

if TYPE_CHECKING:
    from tengen.protocols.analysis.params import Params

SHARED = {"precision": "P", "threads": "N", "memory": "MB", "log": "FILE", "version_string": "TEXT"}
"""Settings that are options as elsewhere."""
UNTOLD = "no humanSLProfile is set: the human network is asked where a query sets one in overrideSettings"
NO_HUMAN = "the network of -human-model does not imitate people: it is asked without a profile"


def configure(parser: Parser) -> None:
    """Declare the options: KataGo's have one dash, and two as well."""
    parser.add_argument("-model", "--model", "--net", dest="net", metavar="FILE", default=SUPPRESS,
                        help="a KataGo network; auto, the default, finds one on this machine")  # fmt: skip
    parser.add_argument("-config", "--config", dest="config", metavar="FILE", action="append", default=[],
                        help="KataGo's configuration (.cfg), or ours (.toml)")  # fmt: skip
    parser.add_argument("-override-config", "--override-config", metavar="K=V,...", action="append", default=[],
                        help="settings by KataGo's names, over those of the files")  # fmt: skip
    parser.add_argument("-analysis-threads", "--analysis-threads", metavar="N", type=_threads,
                        help="positions that are searched side by side (32)")  # fmt: skip
    parser.add_argument("-quit-without-waiting", "--quit-without-waiting", action="store_true",
                        help="at the end of input, leave what is not yet answered")  # fmt: skip
    parser.add_argument("-human-model", "--human-model", "--human-net", dest="human_net", metavar="FILE",
                        default=SUPPRESS, help="a KataGo network that imitates people, beside the other")  # fmt: skip
    for field, metavar in SHARED.items():
        parser.add_argument("--" + field.replace("_", "-"), metavar=metavar, help=OPTIONS[field].doc, default=SUPPRESS)


def _threads(word: str) -> int:
    return whole_number(word, 1, 16384)


def run(values: Namespace) -> int:
    """Serve one conversation; the exit code is the session's. Raises ConfigError or NetworkError before any answer."""
    config = _config(values)
    from tengen.engine.play.networks import check_katago, check_people, outline_named
    from tengen.protocols import analysis
    from tengen.protocols.analysis.params import DEFAULTS

    check_katago(config)
    check_people(config)
    has_people = config.human_net is not None or bool(outline_named(config).human)
    params = _params(values, replace(DEFAULTS, has_people=has_people, profile=config.human_profile or ""))
    if config.human_net is not None:
        _tell_of_people(config.human_net, params)
    return serve(lambda: analysis.run(config, params, quits_at_once=values.quit_without_waiting))


def _is_ours(path: str) -> bool:
    return path.lower().endswith(".toml")


def _config(values: Namespace) -> Config:
    config = Config(net="auto")
    for path in filter(_is_ours, values.config):
        config = load(path, config)
    given = {name: value for name, value in vars(values).items() if name in ("net", "human_net") or name in SHARED}
    config = merge(config, given)
    if config.net == "none" or config.game != "go":
        raise ConfigError("analysis needs a network for Go: -model FILE, or auto")
    return config


def _tell_of_people(path: str, params: Params) -> None:
    """What a user of a human network has to know before the first query."""
    from tengen.engine.evaluators.outline import outline_of

    is_human = bool(outline_of(path).human)
    if not is_human or not params.profile:
        print(f"tengen analysis: {UNTOLD if is_human else NO_HUMAN}", file=sys.stderr)


def _params(values: Namespace, base: Params) -> Params:
    """KataGo's settings. Raises ConfigError; what is not known is told on stderr."""
    from tengen.protocols.analysis import katago_config
    from tengen.protocols.analysis.params import BadParam, with_values

    settings: dict[str, str] = {}
    for path in values.config:
        if not _is_ours(path):
            settings |= katago_config.read(path)
    for text in values.override_config:
        settings |= katago_config.overrides(text)
    if values.analysis_threads:
        settings["numAnalysisThreads"] = str(values.analysis_threads)
    try:
        params, warnings = with_values(base, settings)
    except BadParam as error:
        raise ConfigError(str(error)) from None
    for sentence in warnings:
        print(f"tengen analysis: {sentence}", file=sys.stderr)
    return params
