import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'
import { fullAllowance, parseClientMessage, spend } from './parse-client-message.ts'

const TOPICS = CONTINENTS.map((code) => `continent:${code}`)
const read = (text: string) => parseClientMessage(text, (topic) => TOPICS.includes(topic))

test('any input is parsed as a message of the contract or an error, and never throws', () => {
  const near = fc.record(
    {
      type: fc.oneof(fc.constantFrom('subscribe', 'unsubscribe', '__proto__'), fc.anything()),
      topic: fc.oneof(fc.constantFrom(...TOPICS, 'continent:__proto__', 'constructor'), fc.anything()),
      more: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    near.map((value) =>
      JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? `${each}` : each)),
    ),
  )
  let messages = 0
  fc.assert(
    fc.property(texts, (text) => {
      const { message, error } = read(text)
      if (!message) {
        expect(['malformed', 'topic_unknown']).toContain(error)
        return
      }
      messages += 1
      expect(JSON.parse(text)).toEqual(message)
      expect(TOPICS).toContain(message.topic)
    }),
    { numRuns: 5_000 },
  )
  expect(messages).toBeGreaterThan(10)
})

test('an allowance permits a burst, then five messages a second, and never accumulates more than the burst', () => {
  const allowance = fullAllowance(0)
  const spent = (nowMs: number) =>
    Array.from({ length: 100 }, () => spend(allowance, nowMs)).filter(Boolean).length
  expect([spent(0), spent(0), spent(1_000), spent(1_100), spent(1_200), spent(1_000_000)]).toEqual([
    20, 0, 5, 0, 1, 20,
  ])
})

test('a topic of the contract that this server does not serve is unknown', () => {
  const text = '{"type":"subscribe","topic":"continent:EU"}'
  expect(parseClientMessage(text, () => false)).toEqual({ error: 'topic_unknown' })
  expect(parseClientMessage(text, () => true).message).toEqual({ type: 'subscribe', topic: 'continent:EU' })
})
