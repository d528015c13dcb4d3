import { Day } from '#contract/values.ts'
import {
  createAnnouncement,
  listAnnouncements,
  LONGEST_ANNOUNCEMENT,
  MAX_AT_ONCE,
  readShown,
  type StoredAnnouncement,
  withdrawAnnouncement,
} from '#server/announcements/announcements.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { UUID } from '#server/signer/acts/find-withdrawal.ts'
import type { Arguments, Command } from './command.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

const LISTED = 50

export const announce: Command = {
  usage: '<text> --until <time> [--from <time>] --by <name>',
  description: `shows a text of at most ${LONGEST_ANNOUNCEMENT} characters to everybody in the game, from now or --from, until --until. Times are like 2026-01-05T18:00:00Z`,
  positionals: 1,
  options: ['from', 'until', 'by'],
  run(context, given) {
    const text = given.positionals[0]!.trim()
    const { from, until } = readTimes(given)
    const named = { text, from: from?.toISOString() ?? 'now', until: until.toISOString() }
    return runLogged(context, { command: 'announce', arguments: named, given }, async (tx, { who, now }) => {
      const starts = from ?? now
      const problem = findProblem({ text, starts, until, now })
      if (problem !== null) throw new StartupError(problem)
      const { id } = await createAnnouncement(tx, { text, from: starts, until, who, now })
      return `Announcement ${id} is shown from ${starts.toISOString()} until ${until.toISOString()}.`
    })
  },
}

export const endAnnouncement: Command = {
  usage: '<id> --by <name> [--reason <text>]',
  description: 'ends an announcement now, or before it starts',
  positionals: 1,
  options: ['by', 'reason'],
  run(context, given) {
    const id = given.positionals[0]!
    return runLogged(
      context,
      { command: 'withdraw-announcement', arguments: { id }, given },
      async (tx, { who, now }) => {
        if (!UUID.test(id) || !(await withdrawAnnouncement(tx, { id, who, now })))
          throw new StartupError(`There is no announcement ${id}, or it is already over.`)
        return `Announcement ${id} is no longer shown.`
      },
    )
  },
}

export const showAnnouncements: Command = {
  usage: '',
  description: `lists the ${LISTED} newest announcements, the newest first`,
  positionals: 0,
  options: [],
  async run({ db, clock, say }) {
    const announcements = await listAnnouncements(db, { limit: LISTED })
    if (announcements.length === 0) say('There is no announcement.')
    const now = clock.now()
    const shown = new Set((await readShown(db, now)).map(({ id }) => id))
    for (const each of announcements) {
      say(`${each.id}  ${stateOf(each, { now, isShown: shown.has(each.id) })}`)
      say(
        `    ${each.startsAt.toISOString()} to ${each.endsAt.toISOString()}, by ${each.createdBy}: ${each.text}`,
      )
    }
  },
}

function stateOf(
  { startsAt, endsAt, withdrawnAt, withdrawnBy }: StoredAnnouncement,
  { now, isShown }: { now: Date; isShown: boolean },
): string {
  if (withdrawnAt !== null) return `withdrawn by ${withdrawnBy} at ${withdrawnAt.toISOString()}`
  if (endsAt <= now) return 'over'
  if (startsAt > now) return 'not started'
  return isShown ? 'shown now' : `not shown while ${MAX_AT_ONCE} newer ones are`
}

function findProblem({
  text,
  starts,
  until,
  now,
}: Record<'starts' | 'until' | 'now', Date> & { text: string }): string | null {
  if (text === '') return 'The announcement is empty.'
  if (text.length > LONGEST_ANNOUNCEMENT)
    return `An announcement has at most ${LONGEST_ANNOUNCEMENT} characters; this one has ${text.length}.`
  if (until <= starts) return 'An announcement ends after it starts: --until must be later than --from.'
  if (until <= now) return '--until is in the past.'
  return null
}

function readTimes(given: Arguments): { from: Date | null; until: Date } {
  const { from } = given.options
  return {
    from: from === undefined ? null : readTime('from', from),
    until: readTime('until', required(given, 'until')),
  }
}

// With a time zone, so that nobody has to know the server's.
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

function readTime(name: string, text: string): Date {
  const time = new Date(text)
  // `Date` reads 31 November as 1 December.
  const isDay = Day.safeParse(text.slice(0, 10)).success
  if (!TIME.test(text) || !isDay || Number.isNaN(time.getTime()))
    throw new StartupError(
      `--${name} must be a time with its zone, on an existing day from 2020 to 2199, like 2026-01-05T18:00:00Z.`,
    )
  return time
}
