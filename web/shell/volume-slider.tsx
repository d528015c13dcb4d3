import { useStore } from '#web/store.ts'
import { setVolume, sound } from '#web/audio/sound.ts'
import type { VolumeName } from '#web/audio/sound-switch.ts'
import { settingsMessages } from '#web/messages/en-settings.ts'
import styles from './volume-slider.module.css'

/** The volume of the music or of the effects. */
export function VolumeSlider({ name }: { name: VolumeName }) {
  const percent = Math.round(useStore(sound).volumes[name] * 100)
  return (
    <label className={styles.volume}>
      <span className={styles.name}>{settingsMessages.volumes[name]}</span>
      <input
        className={styles.slider}
        type="range"
        min="0"
        max="100"
        step="5"
        value={percent}
        aria-valuetext={`${percent}%`}
        onChange={({ target }) => setVolume(name, target.valueAsNumber / 100)}
      />
    </label>
  )
}
