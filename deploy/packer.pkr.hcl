# Put these into the build of an EKS image, as the last provisioner. `release` is the .tar.gz of a release beside this file, `sha256` its
# line of SHA256SUMS.
variable "release" { type = string }
variable "sha256" { type = string }

build {
  sources = ["source.amazon-ebs.eks"]

  provisioner "file" {
    source      = var.release
    destination = "/tmp/eks-bootstrap-analyzer.tar.gz"
  }

  provisioner "shell" {
    inline = [
      "set -eu",
      # Before anything of it runs.
      "echo '${var.sha256}  /tmp/eks-bootstrap-analyzer.tar.gz' | sha256sum --check --quiet",
      "mkdir -m 0700 /tmp/eks-bootstrap-analyzer",
      "tar -xzf /tmp/eks-bootstrap-analyzer.tar.gz -C /tmp/eks-bootstrap-analyzer --strip-components=1",
      "sudo sh /tmp/eks-bootstrap-analyzer/install.sh --from /tmp/eks-bootstrap-analyzer.tar.gz --sha256 ${var.sha256}",
      "rm -rf /tmp/eks-bootstrap-analyzer /tmp/eks-bootstrap-analyzer.tar.gz",
      # Ends the build where the image lacks what a boot needs.
      "sudo eks-bootstrap-analyzer check-image",
    ]
  }
}
