"""Stands where a model would: it sends free engines to the first of the reports."""


class FirstCome:
    """Takes the reports as they come, and is called once a tick."""

    def __init__(self):
        self.waiting = []  # reported places
        self.heard = set()

    def __call__(self, observation, tools, use):
        """A model is given the tools and calls them with use until it has nothing more to do."""
        for contact in observation["contacts"]:
            place = contact["reported_location"]
            key = place.get("building_id") or (place["point"]["x"], place["point"]["y"])
            if contact["source_type"] != "vehicle_sensor" and key not in self.heard:
                self.heard.add(key)
                self.waiting.append(place)
        for vehicle in observation["vehicles"]:
            if vehicle["status"] == "idle" and self.waiting:
                self.send(observation["tick"], vehicle["vehicle_id"], self.waiting.pop(0), use)

    def send(self, tick, vehicle, place, use):
        point = place.get("point")
        if point is None:
            point = use("building_to_coords", {"building_id": place["building_id"]})["point"]
        use("dispatch", {
            "expected_tick": tick, "vehicle_id": vehicle, "incident_id": place.get("building_id", "a-place"),
            "destination": point, "rationale": "It was reported first.",
        })
