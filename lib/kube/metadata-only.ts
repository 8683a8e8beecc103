// How is a server asked for lists of metadata alone?

/** The Accept header: no Secret's data, and no large spec, comes along. */
export const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
