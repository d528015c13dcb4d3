/** A span that has started. */
export type RunningSpan = {
  /** Its context for children, also in other processes: the header of W3C Trace Context. */
  traceparent: string
  end(options?: { at?: Date; failed?: boolean; attributes?: SpanAttributes }): void
}

export type SpanAttributes = Record<string, string | number>

export type SpanOptions = {
  name: string
  /** The traceparent of the parent. Null or an invalid one starts a new trace. */
  parent: string | null
  kind?: 'server' | 'internal'
  at?: Date
  attributes?: SpanAttributes
}

/** Where spans go. */
export type Tracing = {
  start(options: SpanOptions): RunningSpan
  /** Sends what is left. Does not wait long for a receiver that does not answer. */
  stop(): Promise<void>
}

export type Environment = Record<string, string | undefined>

/** A trace context of W3C Trace Context, version 00, with ids that are not zero. */
export const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Opens the tracing that the standard variables `OTEL_*` ask for; null without them. Only then is anything of OpenTelemetry
 * loaded.
 */
export async function openTracing(service: string, env: Environment): Promise<Tracing | null> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return null
  const { exportSpans } = await import('./export-spans.ts')
  return exportSpans(service, env)
}
