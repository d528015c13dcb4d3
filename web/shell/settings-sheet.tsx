import { useState } from 'react'
import { settingsMessages } from '#web/messages/en-settings.ts'
import { messages } from '#web/messages/en.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { closeSettings, SETTINGS, type SettingName, readSetting, storeSetting } from './settings.ts'
import styles from './settings-sheet.module.css'
import { SoundButton } from './sound-button.tsx'
import { VolumeSlider } from './volume-slider.tsx'

/** Sound, motion and time of day. */
export function SettingsSheet() {
  return (
    <Dialog
      title={settingsMessages.title}
      text={settingsMessages.text}
      onClose={closeSettings}
      actions={
        <Button tone="leaf" data-autofocus onClick={closeSettings}>
          {settingsMessages.done}
        </Button>
      }
    >
      <fieldset className={styles.group}>
        <legend>{settingsMessages.sound}</legend>
        <div className={styles.sound}>
          <SoundButton tone="wood" />
          <span>{messages.menu.sound}</span>
        </div>
        <VolumeSlider name="music" />
        <VolumeSlider name="effects" />
      </fieldset>
      <Choice name="motion" />
      <Choice name="timeOfDay" />
    </Dialog>
  )
}

function Choice({ name }: { name: SettingName }) {
  const [chosen, setChosen] = useState(() => readSetting(name))
  const choose = (choice: string): void => {
    setChosen(choice)
    storeSetting(name, choice)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{settingsMessages.names[name]}</legend>
      <div className={styles.choices}>
        {SETTINGS[name].map((choice) => (
          <label className={styles.choice} key={choice}>
            <input
              className="vh"
              type="radio"
              name={name}
              checked={choice === chosen}
              onChange={() => choose(choice)}
            />
            {settingsMessages.choices[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
