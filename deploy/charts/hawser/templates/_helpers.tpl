{{- define "hawser.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{/* Labels by which the pods of a part are selected: (list $ part). */}}
{{- define "hawser.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* The same labels on one line. */}}
{{- define "hawser.match" -}}
{{ include "hawser.selector" . | fromYaml | toJson }}
{{- end }}

{{- define "hawser.labels" -}}
{{ include "hawser.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end }}

{{/* Reference of an image: (list $ image). */}}
{{- define "hawser.image" -}}
{{- with index . 1 }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default (index $ 0).Chart.AppVersion }}{{ end }}{{ end -}}
{{- end }}

{{/* Deployments by name, each with its defaults filled in. */}}
{{- define "hawser.groups" -}}
{{- $groups := dict }}
{{- range $name, $group := index .Values .Values.mode }}
{{- if $group }}{{ $_ := set $groups $name (mergeOverwrite (deepCopy $.Values.defaults) (deepCopy $group)) }}{{ end }}
{{- end }}
{{- if and .Values.console.enabled (eq .Values.mode "split") }}
{{- $_ := set $groups "console" (mergeOverwrite (deepCopy .Values.defaults) (dict "targets" (list "console") "replicas" 1 "resources" .Values.console.resources "autoscaling" (dict "enabled" false))) }}
{{- end }}
{{- toYaml $groups }}
{{- end }}

{{/* Services that each target calls. A test of gateway/cmd/hawser compares them with the code. */}}
{{- define "hawser.calls" -}}
gateway: [chains, projects, analytics, auth, wallet, bundler, sessions, handoff, directory, onramp, activity, balances, nfts, access, names, preview, convert, bitcoin, updates, webhooks, relay]
auth: [chains]
wallet: [chains]
bundler: [chains]
sessions: [chains, projects, wallet, bundler]
handoff: [projects]
onramp: [projects]
activity: [chains, onramp]
balances: [chains, activity]
nfts: [chains, activity]
access: [chains, activity, balances]
names: [chains, nfts]
preview: [chains, balances]
convert: [chains]
updates: [balances]
webhooks: [chains, projects]
relay: [projects]
console: [chains, projects, analytics, auth, wallet, bundler, sessions, handoff, directory, onramp, activity, balances, nfts, access, names, preview, convert, bitcoin, updates, webhooks, relay]
{{- end }}

{{/* Services that a Deployment calls in others, with the name of that Deployment: (list $ group). */}}
{{- define "hawser.peers" -}}
{{- $calls := include "hawser.calls" (index . 0) | fromYaml }}
{{- $groups := include "hawser.groups" (index . 0) | fromYaml }}
{{- $targets := (index . 1).targets }}
{{- $peers := dict }}
{{- range $target := $targets }}{{ range $service := index $calls $target | default list }}
{{- if not (has $service $targets) }}
{{- range $name, $group := $groups }}{{ if has $service $group.targets }}{{ $_ := set $peers $service $name }}{{ end }}{{ end }}
{{- end }}
{{- end }}{{ end }}
{{- toYaml $peers }}
{{- end }}

{{/* "true" if a Deployment has one of some targets: (list group target...). */}}
{{- define "hawser.hosts" -}}
{{- $targets := (index . 0).targets }}
{{- range concat (list "all") (rest .) }}{{ if has . $targets }}true{{ end }}{{ end }}
{{- end }}

{{/* "true" if a Deployment serves the operator's console: (list $ group). */}}
{{- define "hawser.servesConsole" -}}
{{- if (index . 0).Values.console.enabled }}{{ include "hawser.hosts" (list (index . 1) "console") }}{{ end }}
{{- end }}

{{/* "true" if a Deployment keeps something in the database. */}}
{{- define "hawser.stores" -}}
{{- include "hawser.hosts" (list . "projects" "analytics" "auth" "wallet" "bundler" "sessions" "handoff" "onramp" "activity" "names" "nfts" "webhooks" "console") -}}
{{- end }}

{{/* "true" if a Deployment keeps final results of nodes in the database, which is an option: (list $ group). */}}
{{- define "hawser.caches" -}}
{{- if dig "chains" "cache" "enabled" false (index . 0).Values.config }}{{ include "hawser.hosts" (list (index . 1) "chains") }}{{ end }}
{{- end }}

{{/* "true" if a Deployment needs the key of the embedded wallets. */}}
{{- define "hawser.seals" -}}
{{- include "hawser.hosts" (list . "wallet" "bundler" "sessions" "webhooks") -}}
{{- end }}

{{/* "true" if a Deployment calls servers outside the cluster. */}}
{{- define "hawser.reachesOut" -}}
{{- include "hawser.hosts" (list . "chains" "wallet" "bundler" "sessions" "onramp" "activity" "balances" "names" "nfts" "convert" "bitcoin" "webhooks") -}}
{{- end }}

{{- define "hawser.publicURL" -}}
{{- with .Values }}{{ if .publicURL }}{{ .publicURL }}{{ else if and .ingress.enabled .ingress.host }}{{ ternary "https" "http" (ne .ingress.tlsSecret "") }}://{{ .ingress.host }}{{ else if and .gatewayAPI.enabled .gatewayAPI.host }}https://{{ .gatewayAPI.host }}{{ end }}{{ end }}
{{- end }}

{{- define "hawser.frameOrigin" -}}
{{- with .Values }}{{ if .frame.origin }}{{ .frame.origin }}{{ else if and .ingress.enabled .ingress.frameHost }}{{ ternary "https" "http" (ne .ingress.tlsSecret "") }}://{{ .ingress.frameHost }}{{ else if and .gatewayAPI.enabled .gatewayAPI.frameHost }}https://{{ .gatewayAPI.frameHost }}{{ end }}{{ end }}
{{- end }}

{{/* Secret with the certificate by which processes know each other; empty for connections without TLS. */}}
{{- define "hawser.tlsSecret" -}}
{{- if .Values.tls.existingSecret }}{{ .Values.tls.existingSecret }}{{ else if .Values.tls.issuerRef }}{{ include "hawser.name" . }}-tls{{ end }}
{{- end }}

{{/* DNS name that the certificate of each process has. */}}
{{- define "hawser.tlsName" -}}
{{ .Values.tls.name | default (printf "%s.%s.svc" (include "hawser.name" .) .Release.Namespace) }}
{{- end }}

{{/* The configuration file: what follows from the other values, and over it config. */}}
{{- define "hawser.config" -}}
{{- $proxied := or .Values.ingress.enabled .Values.gatewayAPI.enabled }}
{{- $config := dict "log" (dict "format" "json") "public_url" (include "hawser.publicURL" .) "frame" (dict "origin" (include "hawser.frameOrigin" .)) "gateway" (dict "trust_forwarded_for" $proxied) "relay" (dict "trust_forwarded_for" (or $proxied (eq .Values.mode "split"))) }}
{{- if include "hawser.tlsSecret" . }}
{{- $files := dict "certificate" "/etc/hawser/tls/tls.crt" "key" "/etc/hawser/tls/tls.key" "authorities" "/etc/hawser/tls/ca.crt" }}
{{- $_ := set $config "tls" (merge (dict "name" (include "hawser.tlsName" .)) $files) }}
{{- if .Values.nats.enabled }}{{ $_ := set $config "bus" $files }}{{ end }}
{{- end }}
{{- toYaml (mergeOverwrite $config (deepCopy .Values.config)) }}
{{- end }}

{{/* GOMEMLIMIT of a memory limit in Mi or Gi: four fifths, because the limit counts the pages of the binary, stacks and buffers of the kernel too. */}}
{{- define "hawser.memory" -}}
{{- if hasSuffix "Gi" . }}{{ mul (trimSuffix "Gi" . | int) 819 }}MiB{{ else if hasSuffix "Mi" . }}{{ div (mul (trimSuffix "Mi" . | int) 8) 10 }}MiB{{ end }}
{{- end }}

{{- define "hawser.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "hawser.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* Variables of every container of Hawser. */}}
{{- define "hawser.env" -}}
- {name: HAWSER_CONFIG, value: /etc/hawser/config/hawser.yaml}
- {name: HAWSER_DATA_DIR, value: /data/hawser}
{{- range $name, $from := .Values.secretEnv }}
- {name: {{ $name }}, valueFrom: {secretKeyRef: {name: {{ $from.secret }}, key: {{ $from.key }}}}}
{{- end }}
{{- end }}

{{/* Secret with the password of the chart's NATS. */}}
{{- define "hawser.natsSecret" -}}
{{ .Values.nats.existingSecret | default (printf "%s-nats-password" (include "hawser.name" .)) }}
{{- end }}

{{/* Variables that lead to NATS. */}}
{{- define "hawser.natsEnv" -}}
{{- with .Values.nats }}
{{- if .enabled }}
- {name: NATS_PASSWORD, valueFrom: {secretKeyRef: {name: {{ include "hawser.natsSecret" $ }}, key: {{ .key }}}}}
- {name: HAWSER_BUS_URL, value: "nats://hawser:$(NATS_PASSWORD)@{{ include "hawser.name" $ }}-nats:4222"}
- {name: HAWSER_BUS_REPLICAS, value: {{ min 3 (int .replicas) | quote }}}
{{- else if .url }}
- {name: HAWSER_BUS_URL, value: {{ .url | quote }}}
{{- if .credentialsSecret }}
- {name: HAWSER_BUS_CREDENTIALS, value: /etc/hawser/nats/nats.creds}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Volumes of every pod of Hawser, and where they are mounted. */}}
{{- define "hawser.volumes" -}}
- {name: tmp, emptyDir: {}}
- {name: config, configMap: {name: {{ include "hawser.name" . }}}}
{{- if .Values.nats.credentialsSecret }}
- {name: nats, secret: {secretName: {{ .Values.nats.credentialsSecret }}, defaultMode: 0440}}
{{- end }}
{{- with include "hawser.tlsSecret" . }}
- {name: tls, secret: {secretName: {{ . }}, defaultMode: 0440}}
{{- end }}
{{- range $folder, $secret := .Values.secretFiles }}
- {name: secret-{{ $folder }}, secret: {secretName: {{ $secret }}, defaultMode: 0440}}
{{- end }}
{{- end }}

{{- define "hawser.mounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: data, mountPath: /data}
- {name: config, mountPath: /etc/hawser/config, readOnly: true}
{{- if .Values.nats.credentialsSecret }}
- {name: nats, mountPath: /etc/hawser/nats, readOnly: true}
{{- end }}
{{- if include "hawser.tlsSecret" . }}
- {name: tls, mountPath: /etc/hawser/tls, readOnly: true}
{{- end }}
{{- range $folder, $_ := .Values.secretFiles }}
- {name: secret-{{ $folder }}, mountPath: /etc/hawser/secrets/{{ $folder }}, readOnly: true}
{{- end }}
{{- end }}
