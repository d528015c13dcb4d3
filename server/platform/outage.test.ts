import { pino } from 'pino'
import { expect, test } from 'vitest'
import { outage } from './outage.ts'

test('an outage is told once when it begins and once when it ends', () => {
  const told: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => told.push(JSON.parse(line).msg) })
  const reading = outage(log, { reading: 'land' })
  reading.works()
  for (let each = 0; each < 5; each++) reading.failed(new Error('refused'))
  reading.works()
  reading.works()
  expect(told).toEqual(['fails; trying again until it works', 'works again'])
})
