import styles from './avatar.module.css'

export function Avatar({ picture, className }: { picture: string; className?: string }) {
  return (
    <div className={className ? `${styles.avatar} ${className}` : styles.avatar} aria-hidden="true">
      <img src={picture} width="160" height="160" alt="" />
    </div>
  )
}
