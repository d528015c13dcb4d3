// Writes the tables of docs/scale.md from the recorded results of the benchmarks.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { costsOf } from '../bench/scale/costs.ts'
import { HABITS, MAX_BUSY, PEAK } from '../bench/scale/habits.ts'
import { LONG_TICK_MS, planFor } from '../bench/scale/plan.ts'
import { readRecorded } from '../bench/scale/recorded.ts'
import { calibrate, checkModel, simulateApi } from '../bench/scale/sockets.ts'

export const SCALE_PAGE = resolve(import.meta.dirname, '../docs/scale.md')

const PLAYERS = [1e4, 1e5, 1e6, 1e7]
const MILLION_OVER = [50, 100, 200, 400]
const CHANGES = [1, 5, 20]

/**
 * The page with the tables of today.
 *
 * @param {string} page
 */
export function writeScale(page) {
  const recorded = readRecorded()
  const costs = costsOf(recorded)
  const model = calibrate(recorded)
  const tables = {
    costs: table(
      ['Operation', 'µs of the api', 'µs of Postgres', 'kB of WAL', 'kB that stay', 'From'],
      costs.map((cost) => [
        cost.what,
        round(cost.apiUs),
        round(cost.postgresUs),
        round(cost.walKb),
        round(cost.storedKb),
        cost.source,
      ]),
    ),
    habits: table(
      ['On a day of play', ...HABITS.map(({ name }) => name)],
      [
        ['minutes online', ...HABITS.map(({ minutes }) => String(minutes))],
        ...costs.map(({ what }) => [what, ...HABITS.map(({ perDay }) => String(perDay[what] ?? 0))]),
      ],
    ),
    ...Object.fromEntries(
      HABITS.map((habits) => [
        `plan ${habits.name}`,
        table(
          [
            'Players a day',
            'Sockets',
            'Actions a second',
            'Changes a second',
            'Apis',
            `Apis, tick of ${LONG_TICK_MS} ms`,
            'Processors for requests',
            'Processors of Postgres',
            'MB of WAL a second',
            'GB stored a day',
            'GB of keys',
          ],
          PLAYERS.map((players) => planFor(players, habits, costs, model)).map((plan) => [
            count(plan.players),
            count(plan.sockets),
            count(plan.actionsPerSecond),
            count(plan.changesPerSecond),
            count(plan.apis),
            count(plan.apisWithLongTick),
            round(plan.requestCores),
            round(plan.postgresCores),
            round(plan.walMbPerSecond),
            round(plan.storedGbPerDay),
            round(plan.keysGb),
          ]),
        ),
      ]),
    ),
    model: table(
      ['Measured case', 'Figure', 'Model', 'Measured', 'Error'],
      checkModel(recorded, model).map(({ what, figure, simulated, measured, error }) => [
        what,
        figure,
        round(simulated),
        round(measured),
        `${error > 0 ? '+' : ''}${Math.round(error * 100)} %`,
      ]),
    ),
    million: table(
      ['Apis', 'Sockets of each', ...CHANGES.map((each) => `${each} changes a second: p99, busy`)],
      MILLION_OVER.map((apis) => [
        String(apis),
        count(1e6 / apis),
        ...CHANGES.map((changesPerSecond) => {
          const { p99Ms, busy } = simulateApi(model, { sockets: 1e6 / apis, changesPerSecond })
          return `${Math.round(p99Ms)} ms, ${Math.round(busy * 100)} %`
        }),
      ]),
    ),
    limits: `A processor of the apis may be ${MAX_BUSY * 100} % busy, and the busiest second has ${PEAK} times the mean of the day.`,
  }
  return Object.entries(tables).reduce((text, [name, content]) => replacePart(text, name, content), page)
}

/**
 * @param {string} page
 * @param {string} name
 * @param {string} content
 */
function replacePart(page, name, content) {
  const [start, end] = [`<!-- ${name}: npm run docs:scale -->`, `<!-- end of ${name} -->`]
  const [before, after] = [page.indexOf(start), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`The page lacks the marks ${start} and ${end}.`)
  return `${page.slice(0, before + start.length)}\n\n${content}\n\n${page.slice(after)}`
}

/**
 * @param {string[]} columns
 * @param {string[][]} rows
 */
const table = (columns, rows) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** @param {number} value */
const count = (value) => Math.round(value).toLocaleString('en')

/** @param {number} value */
const round = (value) => (value >= 10 ? count(value) : String(Number(value.toPrecision(2))))

if (import.meta.main) writeFileSync(SCALE_PAGE, writeScale(readFileSync(SCALE_PAGE, 'utf8')))
