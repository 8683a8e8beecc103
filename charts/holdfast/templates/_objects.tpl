{{/* How do the plain objects below files/ become objects of this release? */}}

{{/*
All documents of a file, in this release's namespace and with its labels. Takes a dict: root, file, skip (kinds to leave
out), annotations (for each object).
*/}}
{{- define "holdfast.objects" -}}
{{- $root := .root -}}
{{- $labels := include "holdfast.labels" $root | fromYaml -}}
{{- range $document := include "holdfast.documents" (dict "root" $root "file" .file) | fromYamlArray }}
{{- if not (has $document.kind ($.skip | default list)) }}
{{- $_ := set $document.metadata "labels" (merge (dict) $labels ($document.metadata.labels | default dict)) }}
{{- with $.annotations }}
{{- $_ := set $document.metadata "annotations" (merge (dict) . ($document.metadata.annotations | default dict)) }}
{{- end }}
---
{{ toYaml $document }}
{{- end }}
{{- end }}
{{- end }}

{{/* All documents of a file as one YAML list. The operator's namespace is a name that occurs in nothing else. */}}
{{- define "holdfast.documents" -}}
{{- $documents := list -}}
{{- $text := .root.Files.Get .file | required (printf "the chart lacks %s: run npm run generate" .file) -}}
{{- range (regexSplit "(?m)^---$" $text -1) }}
{{- with (. | replace "holdfast-system" $.root.Release.Namespace | fromYaml) }}
{{- if .Error }}{{ fail (printf "%s: %s" $.file .Error) }}{{ end }}
{{- $documents = append $documents . }}
{{- end }}
{{- end }}
{{- toYaml $documents }}
{{- end }}

{{/*
"true" where this release has to write a cluster-wide object that outlives it: it is not there, or it is this release's.
Takes a list: the root, apiVersion, kind, name.
*/}}
{{- define "holdfast.missingOrOurs" -}}
{{- $root := index . 0 -}}
{{- $found := lookup (index . 1) (index . 2) "" (index . 3) -}}
{{- if or (not $found) (eq (include "holdfast.releaseOf" $found) (include "holdfast.release" $root)) }}true{{ end -}}
{{- end }}

{{- define "holdfast.release" -}}{{ .Release.Namespace }}/{{ .Release.Name }}{{- end }}

{{/* The release that an object belongs to, as namespace/name; "/" when it belongs to none. */}}
{{- define "holdfast.releaseOf" -}}
{{- $annotations := .metadata.annotations | default dict -}}
{{- index $annotations "meta.helm.sh/release-namespace" | default "" }}/{{ index $annotations "meta.helm.sh/release-name" | default "" }}
{{- end }}

{{/* Two operators in one cluster would fight over every object. */}}
{{- define "holdfast.demandOnlyOne" -}}
{{- $role := lookup "rbac.authorization.k8s.io/v1" "ClusterRole" "" "holdfast" -}}
{{- if $role }}
{{- $owner := include "holdfast.releaseOf" $role }}
{{- if and (ne $owner "/") (ne $owner (include "holdfast.release" .)) }}
{{- fail (printf "Holdfast is installed in this cluster already, as release %s (namespace/name): one cluster has one Holdfast. Upgrade that release, or uninstall it first; what it manages stays." $owner) }}
{{- end }}
{{- end }}
{{- end }}
