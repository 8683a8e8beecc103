// Does what was decided about a copy stand, however long its cluster stays away and whatever is said meanwhile?
import { describe, it } from "vitest";
import { breakable } from "../../support/faults.js";
import { eventually } from "../../support/eventually.js";
import { aMoment } from "../../support/shop.js";

const clusters = breakable();
const ONE_PLACE = {
  preserveResourcesOnDeletion: false,
  conflictResolution: "Overwrite",
  placement: { clusterAffinity: { clusterNames: ["member1"] } },
};

describe("a copy that is to be kept, in a member that is away", () => {
  it("is kept when the template is made again for other clusters, and when the policy changes its mind", async () => {
    const [again, place] = await Promise.all([clusters.openShop("kept-again"), clusters.openShop("kept-place")]);
    const before = {
      again: await again.settle({ preserve: true }),
      place: await place.settle({ preserve: true }),
    };
    await clusters.kill("member2-apiserver");
    await clusters.untilReady("member2", "False");

    await again.host.delete(again.web);
    await eventually("the template is gone", async () => !(await again.template()));
    await again.host.patch(again.policy, { spec: ONE_PLACE });
    await again.host.apply(again.templateYaml());
    await place.host.patch(place.policy, { spec: { placement: ONE_PLACE.placement } });
    await eventually("the place is left", async () => {
      const [work] = await place.works("member2");
      return work?.metadata.deletionTimestamp !== undefined;
    });
    await place.preserve(false);
    await aMoment();

    await clusters.start("member2-apiserver");
    await Promise.all([again.released(before.again, ["member2"]), place.released(before.place, ["member2"])]);
  });
});
