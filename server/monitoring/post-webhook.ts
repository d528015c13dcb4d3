import { errorCode } from '#server/platform/startup-error.ts'

/** A webhook that did not accept a message. Its message never contains the URL, which is a secret. */
export class WebhookError extends Error {}

const TIMEOUT_MS = 10_000

/** Posts a message as JSON. Rejects with a `WebhookError` if the webhook does not accept it in time. */
export async function postWebhook(url: string, message: object): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'cotton-farm' },
      body: JSON.stringify(message),
      // A redirect could lead to a place that is not encrypted.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    throw new WebhookError(describe(error))
  }
  await response.body?.cancel().catch(() => undefined)
  if (!response.ok) throw new WebhookError(`HTTP ${response.status}`)
}

function describe(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return `it cannot be reached (${errorCode(cause) || 'no connection'})`
}
