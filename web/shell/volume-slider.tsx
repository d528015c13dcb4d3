import { Volume2 } from 'lucide-react'
import { useStore } from '#web/store.ts'
import { messages } from '#web/messages/en.ts'
import { setVolume, sound } from '#web/audio/sound.ts'
import styles from './volume-slider.module.css'

/** The volume, shown only while the sound is on. */
export function VolumeSlider() {
  const { state, volume } = useStore(sound)
  if (state !== 'on') return null
  const percent = Math.round(volume * 100)
  return (
    <label className={styles.volume}>
      <Volume2 aria-hidden="true" />
      <span className="vh">{messages.menu.volume}</span>
      <input
        className={styles.slider}
        type="range"
        min="0"
        max="100"
        step="5"
        value={percent}
        aria-valuetext={`${percent}%`}
        onChange={({ target }) => setVolume(target.valueAsNumber / 100)}
      />
    </label>
  )
}
