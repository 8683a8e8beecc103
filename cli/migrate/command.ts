// The commands of `migrate`.
import type { Command } from "commander";
import type { Shell } from "../shell.js";
import { addPlan } from "./plan-command.js";

/** Adds `migrate` and what belongs to it. */
export function addMigrate(program: Command, shell: Shell): void {
  const migrate = program
    .command("migrate")
    .helpGroup("Moving in and out:")
    .description("Move what a cluster runs under Holdfast, in batches, and back.");
  addPlan(migrate, shell);
}
