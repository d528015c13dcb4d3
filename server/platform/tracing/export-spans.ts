import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { decodePercent } from '#server/platform/decode-percent.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { type Environment, TRACEPARENT, type Tracing } from './tracing.ts'

// The exporter tries for ten seconds. Meanwhile the process does not end, and the next one does not start.
const MAX_STOP_MS = 1_000

/**
 * Sends spans by OTLP over HTTP, as JSON. The exporter reads endpoint, headers, timeout and compression from the standard
 * variables by itself.
 */
export function exportSpans(service: string, env: Environment): Tracing {
  const provider = new TracerProvider({
    sampler: samplerOf(env),
    resource: resourceFromAttributes({
      ...attributesOf(env.OTEL_RESOURCE_ATTRIBUTES ?? ''),
      'service.name': env.OTEL_SERVICE_NAME || service,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: Number(env.OTEL_BSP_SCHEDULE_DELAY) || 5_000,
      }),
    ],
  })
  const tracer = provider.getTracer('cotton-farm')
  return {
    start({ name, parent, kind = 'internal', at, attributes }) {
      const options = {
        kind: kind === 'server' ? SpanKind.SERVER : SpanKind.INTERNAL,
        ...(at && { startTime: at }),
        ...(attributes && { attributes }),
      }
      const span = tracer.startSpan(name, options, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end({ at: endedAt, failed = false, attributes: added } = {}) {
          if (added) span.setAttributes(added)
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(endedAt)
        },
      }
    },
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(MAX_STOP_MS, undefined, { ref: false }),
      ]),
  }
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null || !TRACEPARENT.test(traceparent)) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}

/** The sampler of `OTEL_TRACES_SAMPLER`. By default a caller that is traced decides, and without one everything is. */
function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }: Environment): Sampler {
  const ratio = argument === undefined || argument === '' ? 1 : Number(argument)
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const [, isParentBased, root = ''] = /^(parentbased_)?(.*)$/.exec(name || 'parentbased_always_on') ?? []
  const create = Object.hasOwn(samplers, root) ? samplers[root] : undefined
  if (!create || !(ratio >= 0 && ratio <= 1))
    throw new StartupError(
      `OTEL_TRACES_SAMPLER is "${name}" with the argument "${argument ?? ''}": use always_on, always_off or traceidratio with a number from 0 to 1, each with or without parentbased_ before it.`,
    )
  return isParentBased ? new ParentBasedSampler({ root: create() }) : create()
}

/** `key=value` pairs, separated by commas and percent-encoded (OpenTelemetry, "Resource SDK"). */
function attributesOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2).map((part) => part.trim())
    return name === '' ? [] : [[name, decodePercent(value)] as const]
  })
  return Object.fromEntries(pairs)
}
