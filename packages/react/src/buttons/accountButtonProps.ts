/** Properties of `AccountButton`. */
export interface AccountButtonProps {
  size?: 'medium' | 'small'
  balance?: 'show' | 'hide'
}
