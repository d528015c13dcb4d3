import { msUntil } from '#game/next-hire.ts'
import { goalMessages } from '#web/messages/en-goals.ts'

/** When an amount will be there, as a sentence. */
export function forecastText(amounts: Parameters<typeof msUntil>[0]): string {
  const ms = msUntil(amounts)
  return ms === null ? goalMessages.noRate : goalMessages.forecast(ms)
}
