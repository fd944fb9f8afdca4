/** Who asks, for the judge: all hooks of a backtest share what one hook may use of the caps, so the rest is left to live sessions. */
export const BACKTEST = "backtest";
