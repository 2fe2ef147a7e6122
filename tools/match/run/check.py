"""`tengen match check`: start an engine, let it play one move of the match, and print its facts."""

from __future__ import annotations

from dataclasses import replace

from tengen.tools.match.clock import Clock
from tengen.tools.match.drivers import make_driver
from tengen.tools.match.drivers.base import EngineFault, Turn
from tengen.tools.match.game.judge import IllegalMove
from tengen.tools.match.game.judges import make_judge
from tengen.tools.match.settings.table import RunSpec
from tengen.tools.match.spec import EngineSpec, Opening, Reason, TimeSpec


async def examine(engine: EngineSpec, spec: RunSpec, opening: Opening) -> tuple[bool, str]:
    """Whether the engine can play, and one line about it."""
    driver = make_driver(engine)
    time = engine.time or spec.time
    try:
        await driver.start()
        judge = make_judge(spec.game, opening)
        is_first = judge.is_first_to_move
        clock = Clock(time)
        await driver.new_game(spec.game, opening, is_first, clock)
        told = make_judge(spec.game, replace(opening, moves=()))
        for move in opening.moves:
            await driver.play(told.is_first_to_move, told.play(move))
        thought = await driver.think(Turn(clock, Clock(time)))
        played = "resigned" if thought.is_resignation else f"played {judge.play(thought.move)}"
        name, version = driver.version
        understood = " ".join(filter(None, (name, version)))
        return True, f"{engine.name}: {understood}, {engine.protocol}, {played} in {thought.seconds:.3f} s"
    except EngineFault as fault:
        return False, f"{engine.name}: {fault.sentence}"
    except IllegalMove as error:
        return False, f"{engine.name}: played '{thought.move[:40]}', which is illegal: {error}"
    finally:
        await driver.quit()


async def fault_of(engine: EngineSpec, spec: RunSpec, opening: Opening) -> tuple[str, str]:
    """Return the reason why the engine cannot begin the match, with its last lines on stderr, and the settings that it
    did not get. Each is "" when there is nothing to say."""
    driver = make_driver(engine)
    try:
        await driver.start()
        await driver.new_game(spec.game, opening, True, Clock(engine.time or spec.time))
        return "", f"{engine.name} {driver.untold}" if driver.untold else ""
    except EngineFault as fault:
        sentence, said = fault.sentence, ""
        if driver.process is not None:
            if fault.reason is Reason.CRASH:  # it may have ended before it was written to: then nobody has waited yet
                sentence = await driver.process.final_ending()
            said = driver.process.last_words
        return f"{engine.name} {sentence}" + (f"; it said: {said}" if said else ""), ""
    finally:
        await driver.quit()


async def examine_arbiter(engine: EngineSpec, spec: RunSpec) -> tuple[bool, str]:
    """Whether the arbiter can say which stones are dead, and one line about it."""
    driver = make_driver(engine)
    try:
        await driver.start()
        await driver.new_game(spec.game, Opening("none"), True, Clock(TimeSpec()))
        if await driver.dead_stones() is None:
            return False, f"{engine.name}: cannot name the dead stones (final_status_list dead)"
        understood = " ".join(filter(None, driver.version))
        return True, f"{engine.name}: {understood}, {engine.protocol}, names the dead stones"
    except EngineFault as fault:
        return False, f"{engine.name}: {fault.sentence}"
    finally:
        await driver.quit()
