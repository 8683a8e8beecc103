{{/* Which values would install something that can never work, and what is to be done about it? */}}

{{/* Of one Deployment. Takes a dict: component, values, env (a YAML list of what the chart sets itself). */}}
{{- define "holdfast.demandWorkingPods" -}}
{{- $component := .component -}}
{{- $values := .values -}}
{{- $without := dict "admission" "policies could not be created or changed" "watcher" "nothing would be done" -}}
{{- if lt (int $values.replicas) 1 }}
{{- fail (printf "%s.replicas: Invalid value: %v: without %s %s; write 1 or more. To stop it for a while: kubectl scale deployment holdfast-%s --replicas=0" $component $values.replicas $component (get $without $component) $component) }}
{{- end }}
{{- range $label := list "name" "instance" "component" }}
{{- $key := printf "app.kubernetes.io/%s" $label }}
{{- if hasKey $values.podLabels $key }}
{{- fail (printf "%s.podLabels[%s]: Forbidden: the Deployment finds its pods by this label; remove it" $component $key) }}
{{- end }}
{{- end }}
{{- $taken := dict }}
{{- range (.env | fromYamlArray) }}{{- $_ := set $taken .name true }}{{- end }}
{{- range $index, $variable := $values.extraEnv }}
{{- $name := get $variable "name" | default "" }}
{{- if not $name }}
{{- fail (printf "%s.extraEnv[%d].name: Required value: name the variable" $component $index) }}
{{- end }}
{{- if hasKey $taken $name }}
{{- fail (printf "%s.extraEnv[%d].name: Forbidden: %s is set by the chart, and nothing works with another value; remove it" $component $index $name) }}
{{- end }}
{{- end }}
{{- end }}
