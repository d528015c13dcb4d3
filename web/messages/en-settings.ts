/** The settings, which are stored in this browser. */
export const settingsMessages = {
  title: 'Settings',
  text: 'Your choices are kept in this browser.',
  sound: 'Sound',
  volumes: { music: 'Music', effects: 'Effects' },
  names: { motion: 'Motion', timeOfDay: 'Time of day' },
  choices: {
    system: 'As the system says',
    reduced: 'Reduced',
    auto: 'By the clock',
    day: 'Day',
    dusk: 'Dusk',
    night: 'Night',
  },
  done: 'Done',
} as const
