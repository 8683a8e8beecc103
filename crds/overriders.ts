// The ways in which an object can differ from its template in one cluster.
import { z } from "zod";
import { anyJson, object, type DeepReadonly } from "./schema.js";

const change = z.enum(["add", "remove", "replace"]);

/** One operation of RFC 6902 on the whole object. */
export const PlaintextOverrider = object({
  path: z.string().describe("Where, as a JSON pointer such as /spec/replicas; a slash inside a key is written ~1."),
  operator: change.describe("What to do there."),
  value: anyJson().optional().describe("The value for add and replace; none for remove."),
}).describe("One JSON patch operation on the object.");
export type PlaintextOverrider = DeepReadonly<z.infer<typeof PlaintextOverrider>>;

/** Where the image stands, for kinds whose containers we cannot find. */
export const ImagePredicate = object({
  path: z.string().describe("Where the image stands, as a JSON pointer."),
}).describe("Limits the change to one image.");
export type ImagePredicate = DeepReadonly<z.infer<typeof ImagePredicate>>;

/** Changes one part of the images of a workload. */
export const ImageOverrider = object({
  predicate: ImagePredicate.optional().describe("Limits the change to one image; without it every container is meant."),
  component: z
    .enum(["Registry", "Repository", "Tag"])
    .describe("The part of the image that changes; Tag includes a digest."),
  operator: change.describe("add appends to the part, replace sets it, remove clears it."),
  value: z.string().optional().describe("What add appends and replace sets."),
}).describe("Changes one part of the images of a workload.");
export type ImageOverrider = DeepReadonly<z.infer<typeof ImageOverrider>>;

/** Changes the command or the arguments of one container. */
export const CommandArgsOverrider = object({
  containerName: z.string().describe("Name of the container."),
  operator: z.enum(["add", "remove"]).describe("add appends the values, remove drops every one that is listed."),
  value: z.array(z.string()).optional().describe("The values."),
}).describe("Changes the command or the arguments of one container.");
export type CommandArgsOverrider = DeepReadonly<z.infer<typeof CommandArgsOverrider>>;

/** Changes labels or annotations of the object. */
export const LabelAnnotationOverrider = object({
  operator: change.describe("add sets, replace and remove only touch what is there."),
  value: z.record(z.string(), z.string()).describe("The keys, with their values; remove ignores the values."),
}).describe("Changes labels or annotations of the object.");
export type LabelAnnotationOverrider = DeepReadonly<z.infer<typeof LabelAnnotationOverrider>>;

/** One operation inside a JSON or YAML text. */
export const FieldPatchOperation = object({
  subPath: z.string().describe("Where inside the text, as a JSON pointer."),
  operator: change.describe("What to do there."),
  value: anyJson().optional().describe("The value for add and replace; none for remove."),
}).describe("One operation inside the text.");
export type FieldPatchOperation = DeepReadonly<z.infer<typeof FieldPatchOperation>>;

/** Changes a JSON or YAML text that a field holds. */
export const FieldOverrider = object({
  fieldPath: z.string().describe("The field that holds the text, as a JSON pointer."),
  json: z.array(FieldPatchOperation).optional().describe("Operations for a JSON text; excludes yaml."),
  yaml: z.array(FieldPatchOperation).optional().describe("Operations for a YAML text; excludes json."),
}).describe("Changes a JSON or YAML text that a field holds.");
export type FieldOverrider = DeepReadonly<z.infer<typeof FieldOverrider>>;

/** All ways to differ. Within one rule they are applied in the order image, command, args, labels, annotations, field, plaintext. */
export const Overriders = object({
  plaintext: z.array(PlaintextOverrider).optional().describe("JSON patch operations on the object, applied last."),
  imageOverrider: z.array(ImageOverrider).optional().describe("Changes of container images."),
  commandOverrider: z.array(CommandArgsOverrider).optional().describe("Changes of container commands."),
  argsOverrider: z.array(CommandArgsOverrider).optional().describe("Changes of container arguments."),
  labelsOverrider: z.array(LabelAnnotationOverrider).optional().describe("Changes of the object's labels."),
  annotationsOverrider: z.array(LabelAnnotationOverrider).optional().describe("Changes of the object's annotations."),
  fieldOverrider: z.array(FieldOverrider).optional().describe("Changes of JSON or YAML texts inside fields."),
}).describe("How the object differs from its template.");
export type Overriders = DeepReadonly<z.infer<typeof Overriders>>;
