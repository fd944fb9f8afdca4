/** What a hook process prints for its harness. */
export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
}

export const silence: Reply = { stdout: "", stderr: "" };
