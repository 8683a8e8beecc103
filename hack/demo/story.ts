// What is told, and in which order?
import { membersJoin, somethingRunsAlready } from "./beginning.js";
import { existingWorkloadIsAdopted, othersGoWithTheirTemplate, workloadIsHandedBack } from "./letting-go.js";
import { wrongPoliciesAreRefused } from "./refusal.js";
import { busyboxSpreads, driftIsPutBack } from "./spreading.js";
import type { Stage } from "./stage.js";

/** The whole story, from the moment when the clusters are up. @throws Error at the first step that is not as told. */
export async function tellStory(stage: Stage): Promise<void> {
  const before = await somethingRunsAlready(stage);
  await membersJoin(stage);
  await wrongPoliciesAreRefused(stage);
  await busyboxSpreads(stage);
  await driftIsPutBack(stage);
  await existingWorkloadIsAdopted(stage, before);
  await workloadIsHandedBack(stage, before);
  await othersGoWithTheirTemplate(stage);
}
