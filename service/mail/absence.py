"""What mails say of vacations."""

from __future__ import annotations

from sqlalchemy import select

from rules.kernel import Json
from service.database import db
from service.mail.readers import Reader, moment
from service.mail.scene import Scene
from service.models_people import Vacation


def lines(shown: Scene, reader: Reader, about: Json) -> list[str]:
    """When the holder of a tenure is away, where the reader lives; nothing if it is called off or the seat given up."""
    found = db.session.scalars(select(Vacation).where(Vacation.id == about["vacation"])).first()
    names = {person.tenure: name for person, name in shown.answer.seated}
    gone = about["tenure"] not in names or shown.table.game.status != "running"
    if found is None or gone or found.ends_at <= shown.kit.outside.now():
        return []
    span = {"first": found.begins_at, "last": found.ends_at}
    said = {name: moment(at, reader.zone, shown.words) for name, at in span.items()}
    return [shown.words.say("letter.told.away", {"name": names[about["tenure"]], **said})]
