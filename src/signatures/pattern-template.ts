// The pattern file that an author begins with: every key in its order, each with a word on its use. It is complete but for
// the places that say REPLACE.

export function patternTemplate(id: string): string {
  return `id: ${id} # the file's name
title: REPLACE with a few words for the fault
kind: cause # or symptom: never a root cause by itself, only explained by one
phase: REPLACE-phase # an id of phases.yaml, such as user-data, bootstrap, containerd, sandbox-image, kubelet, registration, cni
severity: fatal # or transient (counts only after persists), or degraded (the node may be Ready all the same)
repair: fix-first # or replace-useless (mend what is outside, this node goes on), replace-helps, wait; not for a symptom
# persists: 90s # for transient: how long it must go on; for fatal: how old it must be to be said at once
summary: REPLACE with one sentence on what is wrong, with {placeholders} from the named groups.
explains: [] # ids of causes and symptoms that only follow from this one, such as [image-pull-failing]
signatures:
  - id: REPLACE-signature # what the line says, such as pull-refused
    streams: [kubelet] # names or groups of streams.yaml; leave it out only if any log may hold the line
    # Named groups (?<name>…) or (?:…) only, no lookaround. Begin with fixed text, and say what can stand in a gap:
    # [^"]{1,100} and not .*
    regex: 'REPLACE fixed text (?<detail>[^\\n]{1,100})'
    # literals: ['REPLACE fixed'] # found by itself; needed only if the expression demands no text of 4 plain characters
    # not: ['text that vetoes the match']
    # level: [error, fatal]
    decisive: true # false: a hint that counts only together with something else
    # occurrences: {atLeast: 3, within: 2m}
    # requires: # counts only together with these
    #   - {milestone: kubelet-started, order: before, within: 5m}
    # appliesTo: {os: al2023}
    samples:
      match: # real lines as they stand in the log, at least one for each alternative, with what they must capture
        - line: 'REPLACE with a real line'
          captures: { detail: 'REPLACE with what is captured' }
          source: derived # better: seen <where>, or src <component, version, file>
      reject: # the nearest line that must not match
        - line: 'REPLACE with a line that is close'
          because: REPLACE with the reason
# stalls: # a fault that prints nothing: a step began and did not end
#   - id: step-hangs
#     after: sandbox-image-started # a milestone of phases.yaml
#     without: [sandbox-image-finished]
#     for: 2m
#     process: 'aws ecr get-login-password' # optional: runs meanwhile
recoveredBy: [] # milestones or signatures after which it no longer counts, such as [node-registered]
probes: [] # what questions to a live node say about it
#   - probe: disk-space-left
#     code: [no-space, no-inodes] # answers of the probe's list
#     as: proves # without any line; or confirms, refutes, ends what the lines say
#     where: [{fact: path, test: equals, value: /var}] # or in, matches, atLeast, atMost
#     when: stalled # the default; always: also while the boot goes on
#     requires: [{milestone: kubelet-unit-started}] # what must be there for it to prove
remedy: # in the order to be done; commands may use {placeholders}
  - text: REPLACE with what to look at or to do.
    command: REPLACE with a command, or take this line out
# idle: true # an instance that was never meant to join shows the same
# image: [swap-on] # faults that check-image finds in an image and that become this cause when it boots
falsePositives: [] # what looks alike and is not it
# awsChecks: true # the reason is in AWS (network, role, access): offers the script of --format aws-checks
references: [] # URLs
`;
}
