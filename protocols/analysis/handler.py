"""One conversation: queries become jobs of the analyst, actions are done at once, what cannot be used gets an error.

Queries are read and checked in the thread of the session; answers are written by the analyst's.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tengen.engine.config import RESERVED_MB, Config
from tengen.engine.games import get_game
from tengen.protocols.analysis import fields
from tengen.protocols.analysis.fields import BadField
from tengen.protocols.analysis.params import Params
from tengen.protocols.lines import MAX_LINE, Line
from tengen.protocols.network_news import NetworkNews
from tengen.protocols.output import OutputClosed
from tengen.protocols.session import LOOK_SECONDS, Session, failure

if TYPE_CHECKING:
    from tengen.engine.evaluators.background import Loading
    from tengen.engine.evaluators.katago.evaluator import KataGoEvaluator
    from tengen.engine.play.analyst import Analyst, Job
    from tengen.engine.search.guide import Guide
    from tengen.engine.search.study import Study
    from tengen.protocols.analysis.query import Question

PARALLEL, BATCH, LARGEST_BATCH = 32, 16, 64
"""Positions side by side and in a batch, where nothing else is set."""
LARGE_TREES = 4
PATIENCE = 0.2
"""Seconds that the network waits for the first line."""
QUIT = "quit"
SHOWN = 500  # characters of a line that an error repeats
TERMINATED = "If provided, must be an array of integers indicating turns to terminate"
READY = "Started, ready to begin handling requests"
"""KataGo's line on stderr when it is ready, which KaTrain shows."""


class Analysis:
    """Implements `session.Handler`."""

    def __init__(self, config: Config, params: Params, *, quits_at_once: bool = False) -> None:
        self._config, self._params, self._quits_at_once = config, params, quits_at_once
        self._session: Session | None = None
        self._analyst: Analyst | None = None
        self._id = ""
        self._telling: list[threading.Thread] = []
        self._has_answered = threading.Event()
        self._news = NetworkNews(self._tell_person)
        self._actions: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "query_version": self._version,
            "query_models": self._models,
            "clear_cache": self._write,
            "terminate": self._terminate,
            "terminate_all": self._terminate,
        }

    # -- of the session -----------------------------------------------------------------------------------

    def open(self, session: Session) -> None:
        self._session = session
        session.complain("Analysis Engine starting...")
        threading.Thread(target=self._prepare, name="preparing", daemon=True).start()

    def arrived(self, line: Line) -> None:
        pass

    def handle(self, line: Line) -> bool:
        if line.overlong:
            self._error(f"the line is longer than {MAX_LINE} bytes")
            return True
        text = line.data.decode("utf-8", "replace").strip()
        if text == QUIT:
            self._quits_at_once = True
            return False
        if text:
            try:
                self._handle(text)
            except BadField as error:
                self._write({"error": str(error), "field": error.field, "id": self._id})
        self._has_answered.set()
        return True

    def failed(self, line: Line, error: Exception) -> None:
        self._error(failure(error))

    def close(self) -> None:
        """Finish the pending queries, unless nobody waits."""
        for thread in self._telling:
            while self._is_awaited and thread.is_alive():
                thread.join(LOOK_SECONDS)
        if self._analyst is not None:
            while self._is_awaited and not self._analyst.drain(LOOK_SECONDS):
                pass
            self._analyst.close()

    @property
    def _is_awaited(self) -> bool:
        """Whether somebody waits for what is not yet answered: KataGo finishes its queue, however long that takes."""
        assert self._session is not None
        return not self._quits_at_once and not self._session.is_deserted

    # -- lines --------------------------------------------------------------------------------------------

    def _handle(self, text: str) -> None:
        try:
            query = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            self._error(f"{error} - could not parse input line as json request: {text[:SHOWN]}")
            return
        if not isinstance(query, dict):
            self._error(f"Request line was valid json but was not an object, ignoring: {text[:SHOWN]}")
            return
        if not isinstance(query.get("id"), str):
            self._error('Request must have a string "id" field')
            return
        self._id = query["id"]
        action = query.get("action")
        if not isinstance(action, str):
            self._analyse(query)
        elif action in self._actions:
            self._actions[action](query)
        else:
            names = " or ".join(f"'{name}'" for name in self._actions)
            self._write({"error": f"'action' field must be {names}", "field": "action", "id": self._id})

    def _analyse(self, query: dict[str, Any]) -> None:
        from tengen.engine.play.analyst import Job
        from tengen.protocols.analysis.query import questions

        name = self._id

        def warn(field: str, sentence: str) -> None:
            self._write({"warning": sentence, "field": field, "id": name})

        found = questions(query, name, self._params, self._memory(), warn)
        self._look_outside(found[0])
        for question in found:
            job = Job(
                question.inquiry,
                self._teller(question),
                self._failing(question),
                question.priority,
                question.first,
                question.every,
                (question.id, question.turn),
            )
            self._its_analyst().submit(job)

    def _look_outside(self, question: Question) -> None:
        """Tell on stderr what of a query the network was not taught, each sentence once."""
        root, loading = question.inquiry.root, self._loading()
        if loading is not None and root.rules is not None:
            self._news.outside(loading, get_game(self._config.game), root.state, root.rules)

    def _teller(self, question: Question) -> Callable[[Study, bool], None]:
        from tengen.protocols.analysis.answer import answer, no_answer

        def tell(study: Study, is_during: bool) -> None:
            try:
                self._write(answer(question, study, is_during) if study.visits else no_answer(question))
            except OutputClosed:  # the session's business
                pass
            except Exception as error:
                self._complain(error)
                fail(failure(error))

        fail = self._failing(question)
        return tell

    def _failing(self, question: Question) -> Callable[[str], None]:
        def fail(sentence: str) -> None:
            with suppress(OutputClosed):
                self._write({"error": sentence, "id": question.id, "turnNumber": question.turn})

        return fail

    # -- actions ------------------------------------------------------------------------------------------

    def _version(self, query: dict[str, Any]) -> None:
        from tengen.engine.version import __version__

        self._write({**query, "version": self._config.version_string or __version__, "git_hash": "<omitted>"})

    def _models(self, query: dict[str, Any]) -> None:
        """Answered as soon as the network is there, or cannot be."""
        thread = threading.Thread(target=self._tell_models, args=(query,), name="models", daemon=True)
        self._telling.append(thread)
        thread.start()

    def _tell_models(self, query: dict[str, Any]) -> None:
        with suppress(OutputClosed):
            self._write(self._about_models(query))

    def _about_models(self, query: dict[str, Any]) -> dict[str, Any]:
        from tengen.protocols.katago_models import facts_of

        try:
            models = [facts_of(loading, self._batch()) for loading in self._loadings()]
        except ValueError as error:
            return {"error": str(error), "id": query["id"]}
        return {**query, "models": models}

    def _terminate(self, query: dict[str, Any]) -> None:
        """By id, or all; of some turns alone where they are given. It is echoed before what it ends is answered."""
        wanted: str | None = None
        if query["action"] == "terminate":
            sentence = 'Requests for a terminate action must have a string "terminateId" field'
            wanted = fields.text(query, "terminateId", sentence)
        turns = set(fields.wholes(query, "turnNumbers", TERMINATED)) if "turnNumbers" in query else None

        def is_meant(job: Job) -> bool:
            name, turn = job.tag
            return wanted in (None, name) and (turns is None or turn in turns)

        self._write(query)
        if self._analyst is not None:
            self._analyst.end(which=is_meant)

    # -- what it works with -------------------------------------------------------------------------------

    def _its_analyst(self) -> Analyst:
        if self._analyst is None:
            from tengen.engine.play.analyst import Analyst

            parallel = self._params.parallel or PARALLEL
            self._analyst = Analyst(self._guide, parallel=parallel, batch=self._batch(), load_human=self._human)
        return self._analyst

    def _batch(self) -> int:
        return min(self._params.batch or BATCH, LARGEST_BATCH)

    def _memory(self) -> float:
        """Megabytes for one tree at most: trees of few visits are small, of large ones few have room."""
        return max(8.0, (self._config.memory - RESERVED_MB) / LARGE_TREES)

    def _loading(self) -> Loading | None:
        from tengen.engine.play.networks import network_of

        return network_of(self._config)

    def _loadings(self) -> list[Loading]:
        """That of the network, and that of the human one beside it, if there is one."""
        from tengen.engine.play.networks import human_network_of

        return [one for one in (self._loading(), human_network_of(self._config)) if one is not None]

    def _human(self) -> KataGoEvaluator | None:
        """Raises NetworkError."""
        from tengen.engine.play.networks import human_network_of, katago_of

        loading = human_network_of(self._config)
        return None if loading is None else katago_of(loading)

    def _guide(self) -> Guide:
        """Raises NetworkError."""
        from tengen.engine.play.networks import katago_of

        loading = self._loading()
        assert loading is not None
        return katago_of(loading)

    def _prepare(self) -> None:
        """Load the network, and tell on stderr which it is. Its packages would hold up the first answer."""
        assert self._session is not None
        self._has_answered.wait(PATIENCE)
        try:
            for loading in self._loadings():
                for sentence in loading.sentences():
                    self._session.complain(f"tengen analysis: {sentence}")
            self._session.complain(READY)
        except Exception as error:
            self._session.complain(f"tengen analysis: error: {error}")

    def _tell_person(self, sentence: str) -> None:
        assert self._session is not None
        self._session.complain(f"tengen analysis: {sentence}")

    def _complain(self, error: Exception) -> None:
        import traceback

        assert self._session is not None
        self._session.complain("".join(traceback.format_exception(error)).rstrip())

    def _error(self, sentence: str) -> None:
        self._write({"error": sentence})

    def _write(self, reply: Mapping[str, Any]) -> None:
        """One line. In the analyst's thread, a reader that is gone is the session's business."""
        assert self._session is not None
        try:
            self._session.write(json.dumps(reply, separators=(",", ":"), allow_nan=False) + "\n")
        except OutputClosed:
            self._quits_at_once = True
            raise


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")
