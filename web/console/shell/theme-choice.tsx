import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { setTheme, THEMES, theme } from '../theme.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import styles from './theme-choice.module.css'

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  const chosen = useStore(theme)
  const choices = THEMES.map((each) => [each, consoleMessages.themes[each]] as const)
  return (
    <SelectField
      className={styles.theme}
      aria-label={consoleMessages.theme}
      value={chosen}
      choices={choices}
      onChange={setTheme}
    />
  )
}
