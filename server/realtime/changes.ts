import { assert } from '#server/platform/assert.ts'
import type { Log } from '#server/platform/log.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'
import { type NotifyBus, openNotifyBus } from './notify-bus.ts'

/** Public state that some calls change. */
export type ChangeSource = {
  /** Reads the changes from the database and returns the names of the channels that changed. */
  refresh(): Promise<Iterable<string>>
}

export type Changes = {
  /**
   * Publishes a committed change of this source. Never call it inside a transaction, or for the private state of one
   * player. Resolves when this process serves the new state; other processes and all sockets follow. Never rejects: a
   * failed read is repeated by the next poll.
   */
  publish(name: string): Promise<void>
  /**
   * Publishes a committed change of one source that this process has already applied from the call's own reply.
   * `channels` are those that changed, or null if the source has to be read instead.
   */
  publishApplied(name: string, channels: Iterable<string> | null): Promise<void>
  stop(): Promise<void>
}

type ChangesOptions = {
  sources: ReadonlyMap<string, ChangeSource>
  /** Called with each channel that changed. */
  announce(channel: string): void
  /** The database on which processes notify each other; null for a single process. */
  busDatabaseUrl: string | null
  log: Log
}

// A notification may be lost with its connection or process. Polling bounds the delay.
const POLL_MS = 1_500

/** Keeps public state up to date in this process, and notifies the other processes on the same database. */
export function openChanges({ sources, announce, busDatabaseUrl, log }: ChangesOptions): Changes {
  const refreshers = new Map(
    [...sources].map(([name, source]) => {
      const reading = createOutageLog(log, { reading: name })
      const refresh = async (): Promise<boolean> => {
        try {
          const channels = [...(await source.refresh())]
          for (const channel of channels) announce(channel)
          reading.recordSuccess()
          return channels.length > 0
        } catch (error) {
          reading.recordFailure(error)
          return false
        }
      }
      return [name, coalesceRuns(refresh)]
    }),
  )
  const refresh = async (sourceNames: Iterable<string>) => {
    await Promise.all([...sourceNames].map((name) => refreshers.get(name)?.()))
  }
  const refreshAll = () => void refresh(refreshers.keys())
  const bus: NotifyBus | null =
    busDatabaseUrl === null
      ? null
      : openNotifyBus({
          url: busDatabaseUrl,
          log,
          receive: (sourceNames) => void refresh(sourceNames),
          connected: refreshAll,
        })
  // What a poll finds may not be published, such as a market that an operator has opened. A page that receives it from this
  // process reads the listings next, perhaps from another one.
  const poll = async (name: string, read: () => Promise<boolean>) => {
    if (await read()) bus?.publish([name])
  }
  const pollAll = () => {
    for (const [name, read] of refreshers) void poll(name, read)
  }
  const pollTimer = setInterval(pollAll, POLL_MS).unref()

  const notifyOthers = (name: string) => {
    assert(refreshers.has(name), `${name} is a source`)
    bus?.publish([name])
  }

  return {
    async publish(name) {
      notifyOthers(name)
      await refresh([name])
    },
    async publishApplied(name, channels) {
      notifyOthers(name)
      if (channels === null) return refresh([name])
      for (const channel of channels) announce(channel)
    },
    async stop() {
      clearInterval(pollTimer)
      await bus?.stop()
    },
  }
}

/**
 * Runs `work` one at a time. Calls during a run share the next one, so each call gets a run that began after it and reads
 * everything committed before it.
 */
function coalesceRuns(work: () => Promise<boolean>): () => Promise<boolean> {
  let running = Promise.resolve(false)
  let next: Promise<boolean> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      running = work()
      return running
    })
    return next
  }
}
