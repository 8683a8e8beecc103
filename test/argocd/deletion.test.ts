// What becomes of the members' workloads when an Application is deleted, in every way in which Argo CD does it?
import { afterAll, describe, expect, it } from "vitest";
import { start, stop } from "../../hack/clusters/index.js";
import { cleared, deleted, kept, webIn } from "../gitops/fates.js";
import { isMarked } from "../integration/support/shop.js";
import type { Site } from "../integration/support/site.js";
import type { Cascade } from "./support/application.js";
import { gitOps, type GitOps } from "./support/gitops.js";
import { freshName, inWave, shopPolicy, templateNamespace, web } from "../gitops/shop.js";

const open = gitOps();

afterAll(() => start(open().env.dir, "member2-apiserver"));

interface Case {
  readonly preserve: boolean;
  readonly waves: "one wave" | "waves of their own";
  readonly cascade: Exclude<Cascade, "none">;
}

const CASES: readonly Case[] = [true, false].flatMap(preserve =>
  (["one wave", "waves of their own"] as const).flatMap(waves =>
    (["foreground", "background"] as const).map(cascade => ({ preserve, waves, cascade })),
  ),
);

/** The Application's name is its namespace's. The namespace is nobody's, so that only policy and template are deleted. */
async function settled(gitops: GitOps, { preserve, waves, cascade }: Case): Promise<{ name: string; uids: string[] }> {
  const [name, repository] = [freshName("leave"), await gitops.repository()];
  await gitops.host.applyObject(templateNamespace(name));
  const policy = shopPolicy(name, { preserveResourcesOnDeletion: preserve });
  await repository.commit({ "all.yaml": [waves === "one wave" ? policy : inWave(-1, policy), web(name)] });
  await gitops.apply({ name, repoURL: repository.url, path: ".", cascade });
  await gitops.untilWell(name);
  const copies = await Promise.all(membersOf(gitops).map(member => member.find(webIn(name))));
  return { name, uids: copies.map(copy => copy?.metadata.uid ?? "none") };
}

const membersOf = ({ member1, member2 }: GitOps): Site[] => [member1, member2];

describe("deleting an Application", () => {
  describe.concurrent("while every member answers", () => {
    it.each(CASES)(
      "keeps workloads: $preserve (preserve), policy and template in $waves, $cascade cascade",
      async wanted => {
        const gitops = open();
        const { name, uids } = await settled(gitops, wanted);
        await gitops.delete(name);
        await gitops.untilGone(name);
        expect(await gitops.host.find(webIn(name))).toBeUndefined();
        for (const [n, member] of membersOf(gitops).entries()) {
          if (wanted.preserve) await kept(member, name, uids[n]);
          else await deleted(member, name);
        }
        await cleared(gitops.host, name);
      },
    );
  });

  it("without cascade leaves policy, template and copies as they are", async () => {
    const gitops = open();
    const { name, uids } = await settled(gitops, { preserve: false, waves: "one wave", cascade: "foreground" });
    await gitops.host.patch({ kind: "Application", namespace: "argocd", name }, { metadata: { finalizers: null } });
    await gitops.delete(name);
    await gitops.untilGone(name);
    const copies = await Promise.all(membersOf(gitops).map(member => member.find(webIn(name))));
    expect(copies.map(copy => copy?.metadata.uid)).toEqual(uids);
    expect(copies.every(isMarked)).toBe(true);
  });

  it.each(CASES.filter(({ waves }) => waves === "one wave"))(
    "while a member is down: the Application goes at once, and the member follows when it is back (preserve: $preserve, $cascade)",
    async wanted => {
      const gitops = open();
      const { name, uids } = await settled(gitops, wanted);
      await stop(gitops.env.dir, "member2-apiserver");
      await gitops.delete(name);
      await gitops.untilGone(name);
      expect(await gitops.host.find(webIn(name))).toBeUndefined();
      if (wanted.preserve) await kept(gitops.member1, name, uids[0]);
      else await deleted(gitops.member1, name);

      await start(gitops.env.dir, "member2-apiserver");
      if (wanted.preserve) await kept(gitops.member2, name, uids[1]);
      else await deleted(gitops.member2, name);
      await cleared(gitops.host, name);
    },
  );
});
