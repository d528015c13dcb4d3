export type TimeOfDay = 'day' | 'dusk' | 'night'

/** The time of day of a local hour (0 to 23): day from 6, dusk from 18, night from 21. */
export function timeOfDay(hour: number): TimeOfDay {
  if (hour >= 6 && hour < 18) return 'day'
  return hour >= 18 && hour < 21 ? 'dusk' : 'night'
}
