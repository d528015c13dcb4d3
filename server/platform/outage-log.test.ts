import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOutageLog } from './outage-log.ts'

test('an outage is logged once at its start and once at its end', () => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).msg) })
  const reading = createOutageLog(log, { reading: 'land' })
  reading.recordSuccess()
  for (let each = 0; each < 5; each++) reading.recordFailure(new Error('refused'))
  reading.recordSuccess()
  reading.recordSuccess()
  expect(logged).toEqual(['fails; trying again until it works', 'works again'])
})
