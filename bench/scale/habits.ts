/** What one player does on a day of play. */
export type Habits = { name: string; minutes: number; perDay: Readonly<Record<string, number>> }

/** Two stated habits. The names of the operations are those of the costs. */
export const HABITS: readonly Habits[] = [
  {
    name: 'casual',
    minutes: 20,
    perDay: {
      claim: 8,
      hire: 0.5,
      'purchase of land': 0.02,
      resale: 0.02,
      deposit: 0.1,
      withdrawal: 0.05,
      login: 0.2,
      'read of own workers': 12,
      'read of history': 1,
      'public read': 20,
    },
  },
  {
    name: 'busy',
    minutes: 120,
    perDay: {
      claim: 100,
      hire: 2,
      'purchase of land': 0.1,
      resale: 0.2,
      deposit: 1,
      withdrawal: 0.5,
      login: 0.5,
      'read of own workers': 60,
      'read of history': 5,
      'public read': 100,
    },
  },
]

/** The busiest second has this many times the mean of the day. */
export const PEAK = 4

/** Share of a processor that may be busy at the peak. */
export const MAX_BUSY = 0.5
