# What makes failing boots of one cluster known: log group, alarms, topic, dashboard, saved queries. The same as ../alarm-path.yaml; a test holds the two together.
#
#   module "eks_bootstrap" {
#     source  = "…/deploy/terraform"
#     cluster = "CLUSTER"
#     runbook = "https://…/docs/causes.md"
#     email   = "oncall@example.com"
#     causes  = ["node-unauthorized", "subnet-ip-exhausted"]
#   }

terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "cluster" {
  type        = string
  description = "Name of the EKS cluster."
  validation {
    condition     = can(regex("^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$", var.cluster))
    error_message = "The name of an EKS cluster."
  }
}

variable "runbook" {
  type        = string
  description = "Address under which docs/causes.md can be read; the cause is added as its anchor."
  validation {
    condition     = can(regex("^https://[^\\s\"#]{1,400}$", var.runbook))
    error_message = "An https address without an anchor."
  }
}

variable "email" {
  type        = string
  default     = ""
  description = "Who is told; empty for a topic without a subscription."
}

variable "retention_days" {
  type        = number
  default     = 30
  description = "How long verdicts are kept."
}

variable "kms_key_arn" {
  type        = string
  default     = ""
  description = "Key for the log group, whose policy must let logs.REGION.amazonaws.com use it; empty for AWS's own."
}

variable "failing_percent" {
  type        = number
  default     = 20
  description = "Alarm above this share of failed boots in an hour."
}

variable "failing_at_least" {
  type        = number
  default     = 3
  description = "Boots in that hour from which on a share means something."
}

variable "causes" {
  type        = set(string)
  default     = []
  description = "Causes of which one failure is enough for an alarm."
}

data "aws_region" "current" {}
data "aws_caller_identity" "current" {}

locals {
  namespace = "EKS/NodeBootstrap"
}

resource "aws_cloudwatch_log_group" "verdicts" {
  name              = "/eks/bootstrap-analyzer/${var.cluster}"
  retention_in_days = var.retention_days
  kms_key_id        = var.kms_key_arn == "" ? null : var.kms_key_arn
  # What was said stays when the module goes.
  skip_destroy = true
}

resource "aws_sns_topic" "alarms" {
  name         = "eks-bootstrap-${var.cluster}"
  display_name = "EKS node bootstrap"
}

resource "aws_sns_topic_subscription" "email" {
  count     = var.email == "" ? 0 : 1
  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = var.email
}

resource "aws_sns_topic_policy" "alarms" {
  arn = aws_sns_topic.alarms.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "cloudwatch.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.alarms.arn
      Condition = { StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id } }
    }]
  })
}

resource "aws_cloudwatch_metric_alarm" "failing_share" {
  alarm_name          = "eks-bootstrap-${var.cluster}-failing-share"
  alarm_description   = "More than ${var.failing_percent} % of the boots of the last hour in ${var.cluster} did not end Ready (from ${var.failing_at_least} boots on). Which causes: the saved query eks-bootstrap/${var.cluster}/causes-by-count. What to do for each: ${var.runbook}"
  comparison_operator = "GreaterThanThreshold"
  threshold           = var.failing_percent
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  metric_query {
    id          = "share"
    label       = "Failed boots, percent"
    expression  = "IF(boots >= ${var.failing_at_least}, 100 * failures / boots, 0)"
    return_data = true
  }
  metric_query {
    id = "failures"
    metric {
      namespace   = local.namespace
      metric_name = "BootstrapFailure"
      stat        = "Sum"
      period      = 3600
      dimensions  = { Cluster = var.cluster }
    }
  }
  metric_query {
    id = "boots"
    metric {
      namespace   = local.namespace
      metric_name = "BootstrapFailure"
      stat        = "SampleCount"
      period      = 3600
      dimensions  = { Cluster = var.cluster }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "no_verdicts" {
  alarm_name          = "eks-bootstrap-${var.cluster}-no-verdicts"
  alarm_description   = "For an hour boots began in ${var.cluster} and none had a last word: the nodes go before they are diagnosed (a deadline after the one of Karpenter), or what they say later does not arrive (network, role). Runbook: ${var.runbook}"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  evaluation_periods  = 2
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  metric_query {
    id          = "silent"
    label       = "Boots without a word"
    expression  = "IF(FILL(started, 0) > 0 AND FILL(ended, 0) == 0, 1, 0)"
    return_data = true
  }
  metric_query {
    id = "started"
    metric {
      namespace   = local.namespace
      metric_name = "BootStarted"
      stat        = "Sum"
      period      = 1800
      dimensions  = { Cluster = var.cluster }
    }
  }
  metric_query {
    id = "ended"
    metric {
      namespace   = local.namespace
      metric_name = "BootstrapFailure"
      stat        = "SampleCount"
      period      = 1800
      dimensions  = { Cluster = var.cluster }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "of_cause" {
  for_each            = var.causes
  alarm_name          = "eks-bootstrap-${var.cluster}-${each.value}"
  alarm_description   = "A node of ${var.cluster} does not become Ready: ${each.value}. Runbook: ${var.runbook}#${each.value}"
  namespace           = local.namespace
  metric_name         = "FailureSeen"
  dimensions          = { Cluster = var.cluster, Cause = each.value }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
}

resource "aws_cloudwatch_dashboard" "boots" {
  dashboard_name = "eks-bootstrap-${var.cluster}"
  dashboard_body = replace(replace(file("${path.module}/../cloudwatch-dashboard.json"), "REGION", data.aws_region.current.name), "\"__FIRST\"", jsonencode(var.cluster))
}

resource "aws_cloudwatch_query_definition" "saved" {
  for_each        = jsondecode(file("${path.module}/queries.json"))
  name            = "eks-bootstrap/${var.cluster}/${each.key}"
  log_group_names = [aws_cloudwatch_log_group.verdicts.name]
  query_string    = each.value
}

output "topic_arn" {
  value = aws_sns_topic.alarms.arn
}

output "log_group" {
  value = aws_cloudwatch_log_group.verdicts.name
}
