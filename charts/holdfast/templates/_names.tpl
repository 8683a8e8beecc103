{{/* What are this release's objects called, and which labels do they bear? */}}

{{- define "holdfast.labels" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Labels by which a Deployment knows its pods; they can never change. Takes a list: the root, the component. */}}
{{- define "holdfast.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "holdfast.image" -}}
{{- $image := .Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* The Secret with the serving certificate. */}}
{{- define "holdfast.tlsSecret" -}}
{{- if eq .Values.certificates.mode "existingSecret" -}}
{{- required "certificates.existingSecret.name: Required value: name the Secret that holds tls.crt and tls.key" .Values.certificates.existingSecret.name -}}
{{- else if eq .Values.certificates.mode "certManager" -}}
holdfast-webhook-tls
{{- else -}}
holdfast-tls
{{- end -}}
{{- end }}
